#pragma once
#include <string>

namespace maskwork::cli {
/// Names of the configurations only, one a line.
void print_config_names();
/// Configurations and limits.
void print_info();
/// What a program needs, and where it fits.
void print_program_info(const std::string& path);
}  // namespace maskwork::cli
