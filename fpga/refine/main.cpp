// mw_refine: reads a problem (fpga/refine.py) from a file and writes the slots of its cells to another; tells its progress on standard output.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "anneal.hpp"

int main(int argc, char** argv) {
    using namespace maskwork::refine;
    Options o;
    std::string problem_file, slots_file;
    CLI::App app("Moves LUTs and flip-flops of a placed ECP5 netlist: less wire, less of it where it is crowded, shorter paths");
    app.add_option("problem", problem_file, "file to read")->required()->check(CLI::ExistingFile);
    app.add_option("slots", slots_file, "file to write")->required();
    app.add_option("--moves", o.moves, "tries per movable cell")->check(CLI::Range(0, 1'000'000))->capture_default_str();
    app.add_option("--heat", o.heat, "temperature at the beginning, tiles of wire")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--limit", o.limit, "wire that a square of 4 x 4 tiles has room for, tiles")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--crowd", o.crowd, "price of a square's excess squared, tiles")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--criticality", o.criticality, "a net on the longest path weighs 1 + so much")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--seed", o.seed, "of the random numbers")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        std::ifstream in(problem_file);
        Problem problem = read_problem(in);
        Annealer annealer(problem, o);
        annealer.run([](const State& s) {
            fmt::print("refine {:3.0f} %: wire {:.0f}, fullest square {:.0f}, longest path {:.1f} ns\n", 100 * s.done, s.wire, s.most, s.longest_ps / 1e3);
            std::fflush(stdout);
        });
        std::ofstream out(slots_file);
        write_slots(out, problem);
        out.close();
        if (!out) throw std::runtime_error("cannot write " + slots_file);
        return 0;
    } catch (const std::exception& e) {
        fmt::print(stderr, "mw_refine: {}\n", e.what());
        return 1;
    }
}
