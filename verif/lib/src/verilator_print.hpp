#pragma once
// What Verilator's runtime prints with instead of printf: the text of a failed assertion becomes part of the exception.
int maskwork_verilator_print(const char* format, ...);
