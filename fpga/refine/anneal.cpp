#include "anneal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace maskwork::refine {
namespace {

constexpr int RANGE = 7;                   // tiles that a cell may move at once, at the beginning
constexpr double COOL = 0.002;             // temperature at the end of cooling, of that at the beginning
constexpr double COLD = 0.93;              // from here on only improvements
constexpr float LEAST_SHARE = 0.5f;        // wires whose longest path is a smaller share of the longest of all cost nothing but wire
constexpr double URGENT = 0.93;            // from this share on wires are looked at one by one
constexpr float FALL = 0.998f;             // the share of a wire that is reckoned with falls at most by this factor between two analyses
constexpr int WHOLE = 6;                   // one try of so many exchanges slices
constexpr int NEAR = 3;                    // tiles from the other end of a wire, where a cell is tried that goes there
constexpr std::size_t GROUP = 4;           // cells that go together at most
constexpr int PARTS = 300;                 // analyses on the way

}  // namespace

Annealer::Annealer(Problem& problem, const Options& options)
    : p_(problem), options_(options), demand_(options.limit), timing_(problem), grid_(SIDE * SIDE, -1), lut_(problem.tiles.size() * SLOTS, -1),
      flip_flop_(lut_), boxes_(problem.nets.size()), next_(boxes_), shares_(timing_.wires(), 0.0f), stamp_(problem.nets.size(), 0),
      random_(options.seed * 0x9E3779B97F4A7C15u | 1) {
    for (std::size_t t = 0; t < p_.tiles.size(); t++) grid_[p_.tiles[t].y * SIDE + p_.tiles[t].x] = int(t);
    for (std::size_t i = 0; i < p_.cells.size(); i++) {
        const Cell& c = p_.cells[i];
        if (c.slot < 0) continue;
        (c.type == Type::Lut ? lut_ : flip_flop_)[c.slot] = int(i);
        if (c.bond != Bond::Fixed) movable_.push_back(int(i));
    }
    for (std::size_t n = 0; n < p_.nets.size(); n++) {
        if (!p_.nets[n].wire) continue;
        boxes_[n] = box_of(int(n));
        demand_.change(boxes_[n], p_.nets[n].cells.size(), 1);
        wire_ += boxes_[n].half_perimeter();
    }
}

std::uint64_t Annealer::random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
}

Box Annealer::box_of(int net) const {
    Box box;
    for (int c : p_.nets[net].cells) box.add(p_.cells[c].x, p_.cells[c].y);
    return box;
}

// Finds the wires of long paths and prices them.
void Annealer::weigh() {
    std::vector<Link> links;
    longest_ps_ = timing_.analyse(LEAST_SHARE, links);
    links_.clear();
    links_begin_.assign(p_.cells.size() + 1, 0);
    for (const Link& l : links) {
        // A share falls slowly: else a wire gets long again as soon as it is cheap.
        float& share = shares_[l.number];
        share = std::max(FALL * share, l.share);
        const int ps = wire_ps(p_.cells[l.driver], p_.cells[l.sink]);
        Priced priced{l.driver, l.sink, ps, share - double(ps) / longest_ps_, 0, 0};
        priced.cost = cost(priced, ps);
        links_.push_back(priced);
        for (int c : {l.driver, l.sink}) links_begin_[c + 1]++;
    }
    std::partial_sum(links_begin_.begin(), links_begin_.end(), links_begin_.begin());
    links_of_.resize(2 * links_.size());
    std::vector<int> next(links_begin_);
    for (std::size_t i = 0; i < links_.size(); i++)
        for (int c : {links_[i].driver, links_[i].sink}) links_of_[next[c]++] = int(i);
}

// A ps of a wire on the longest path has the price that the options give, one of a path with a share s of it s^24 of that. What a wire costs is the integral, so
// that a path that gets long in one move is dear although it was short.
double Annealer::cost(const Priced& link, int ps) const {
    const double s = std::max(0.0, share(link, ps)), s5 = s * s * s * s * s;
    return options_.criticality / 100 * longest_ps_ / 25 * (s5 * s5 * s5 * s5 * s5);
}

// What the wires on long paths cost more, now that the cells of moved_ have moved.
double Annealer::slower() {
    double more = 0;
    changes_.clear();
    for (int c : moved_)
        for (int k = links_begin_[c]; k < links_begin_[c + 1]; k++) {
            Priced& l = links_[links_of_[k]];
            if (l.stamp == try_) continue;
            l.stamp = try_;
            const int ps = wire_ps(p_.cells[l.driver], p_.cells[l.sink]);
            if (ps == l.ps) continue;
            changes_.push_back({links_of_[k], ps, cost(l, ps)});
            more += changes_.back().cost - l.cost;
        }
    return more;
}

// ------------------------------------------------------------------------------------------------------------------ legality
bool Annealer::slice_ok(int slot) const {
    const int a = flip_flop_[slot], b = flip_flop_[slot ^ 1];
    return a < 0 || b < 0 || p_.cells[a].control == p_.cells[b].control;
}

bool Annealer::tile_ok(int tile) const {
    int reset = -1;
    for (int s = tile * SLOTS; s < (tile + 1) * SLOTS; s++) {
        if (flip_flop_[s] < 0) continue;
        const int r = p_.cells[flip_flop_[s]].reset;
        if (reset >= 0 && r != reset) return false;
        reset = r;
    }
    return true;
}

// The lower flip-flop of a slice whose multiplexer is used takes no data from outside.
bool Annealer::input_ok(int slot) const {
    const int f = flip_flop_[slot], l = lut_[slot];
    return (slot & 1) || f < 0 || l < 0 || p_.cells[f].bond != Bond::Free || p_.cells[l].bond != Bond::Slice;
}

bool Annealer::legal(Swap swap, int a, int b) const {
    if (swap == Swap::Luts) return true;
    return slice_ok(a) && slice_ok(b) && (a / SLOTS == b / SLOTS || (tile_ok(a / SLOTS) && tile_ok(b / SLOTS))) && input_ok(a) && input_ok(b)
           && input_ok(a ^ 1) && input_ok(b ^ 1);
}

// --------------------------------------------------------------------------------------------------------------------- moves
// What to swap between the slots of a cell and another one; false if nothing there may go the other way. Fills parts_ with the cells that change places.
bool Annealer::choose(int cell, int other, Swap& swap) {
    const int slot = p_.cells[cell].slot;
    const Bond bond = p_.cells[cell].bond;
    const bool ff = p_.cells[cell].type == Type::FlipFlop;
    const int lut = lut_[slot], lut2 = lut_[other], ff1 = flip_flop_[slot], ff2 = flip_flop_[other];
    const bool ram1 = p_.tiles[slot / SLOTS].lut_ram, ram2 = p_.tiles[other / SLOTS].lut_ram;
    auto bond_of = [&](int c) { return c < 0 ? Bond::Free : p_.cells[c].bond; };

    swap = ff ? Swap::FlipFlops : below(4) != 0 ? Swap::Luts : Swap::Slots;
    if (bond == Bond::Slice || (bond == Bond::Slot && bond_of(lut) == Bond::Slice)) swap = Swap::Slices;
    else if (below(WHOLE) == 0) swap = Swap::Slices;   // gets flip-flops past the rule of the common clock enable
    else if (bond == Bond::Slot) swap = Swap::Slots;

    parts_.clear();
    auto add = [&](int c) {
        if (c >= 0) parts_.push_back(c);
    };
    switch (swap) {
        case Swap::Luts:
            if (bond_of(lut2) != Bond::Free) return false;
            add(lut), add(lut2);
            return true;
        case Swap::FlipFlops:
            if (bond_of(ff2) != Bond::Free || (ram2 && ff2 < 0)) return false;
            add(ff1), add(ff2);
            return true;
        case Swap::Slots:
            if (bond_of(lut) > Bond::Slot || bond_of(lut2) > Bond::Slot) return false;
            if ((ram2 && ff2 < 0 && ff1 >= 0) || (ram1 && ff1 < 0 && ff2 >= 0)) return false;
            add(lut), add(lut2), add(ff1), add(ff2);
            return true;
        case Swap::Slices:
            if ((slot >> 1) == (other >> 1) || ram1 || ram2) return false;
            for (int s : {slot, slot ^ 1, other, other ^ 1}) {
                if (bond_of(lut_[s]) == Bond::Fixed) return false;
                add(lut_[s]), add(flip_flop_[s]);
            }
            return true;
    }
    return false;
}

void Annealer::apply(Swap swap, int a, int b) {
    auto exchange = [&](std::vector<int>& at, int s, int t) {
        std::swap(at[s], at[t]);
        for (int i : {s, t}) {
            if (at[i] < 0) continue;
            Cell& c = p_.cells[at[i]];
            c.slot = i;
            c.x = p_.tiles[i / SLOTS].x;
            c.y = p_.tiles[i / SLOTS].y;
        }
    };
    if (swap != Swap::FlipFlops) exchange(lut_, a, b);
    if (swap != Swap::Luts) exchange(flip_flop_, a, b);
    if (swap == Swap::Slices) {
        exchange(lut_, a ^ 1, b ^ 1);
        exchange(flip_flop_, a ^ 1, b ^ 1);
    }
}

// Exchanges a cell, and what it is bound to, with what is in some slot of the tile x, y. False if that is not allowed; nothing has moved then.
bool Annealer::exchange(int cell, int x, int y) {
    if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || grid_[y * SIDE + x] < 0) return false;
    const int slot = p_.cells[cell].slot;
    int other = grid_[y * SIDE + x] * SLOTS + below(SLOTS);
    Swap swap;
    if (other == slot || !choose(cell, other, swap)) return false;
    if (swap == Swap::Slices) other = (other & ~1) | (slot & 1);
    for (int c : parts_)
        if (std::find(moved_.begin(), moved_.end(), c) == moved_.end()) {
            moved_.push_back(c);
            was_.push_back({p_.cells[c].x, p_.cells[c].y, false});
        }
    apply(swap, slot, other);
    if (!legal(swap, slot, other)) {
        apply(swap, slot, other);
        return false;
    }
    done_.push_back({swap, slot, other});
    return true;
}

void Annealer::take_back() {
    for (auto e = done_.rbegin(); e != done_.rend(); ++e) apply(e->swap, e->a, e->b);
}

// Moves a cell to some place near, or to the other end of a wire that has a price. Cells in one tile on a long path may have to go together: one alone would
// only make the wire between them longer.
bool Annealer::propose() {
    const int cell = movable_[below(int(movable_.size()))], begin = links_begin_[cell], links = links_begin_[cell + 1] - begin;
    const int x = p_.cells[cell].x, y = p_.cells[cell].y;
    auto end_of = [&](int of, int k) {
        const Priced& l = links_[links_of_[k]];
        return l.driver == of ? l.sink : l.driver;
    };
    int dx = below(2 * range_ + 1) - range_, dy = below(2 * range_ + 1) - range_;
    const int link = links == 0 ? -1 : begin + below(links);
    const bool urgent = link >= 0 && share(links_[links_of_[link]], links_[links_of_[link]].ps) > URGENT;
    if (urgent && below(2) == 0) {
        const Cell& end = p_.cells[end_of(cell, link)];
        dx = end.x - x + below(2 * NEAR + 1) - NEAR, dy = end.y - y + below(2 * NEAR + 1) - NEAR;
    }
    if (!exchange(cell, x + dx, y + dy)) return false;
    if (!urgent || below(2) == 0) return true;
    group_.assign(1, cell);
    for (std::size_t i = 0; i < group_.size(); i++)
        for (int k = links_begin_[group_[i]]; k < links_begin_[group_[i] + 1] && group_.size() < GROUP; k++) {
            const int c = end_of(group_[i], k);
            if (p_.cells[c].slot < 0 || p_.cells[c].bond == Bond::Fixed || p_.cells[c].x != x || p_.cells[c].y != y) continue;
            if (std::find(group_.begin(), group_.end(), c) != group_.end()) continue;
            if (!exchange(c, x + dx, y + dy)) return false;
            group_.push_back(c);
        }
    return true;
}

// One try.
void Annealer::step() {
    moved_.clear(), was_.clear(), done_.clear();
    if (!propose()) {
        take_back();
        return;
    }

    // Nets whose box can change, and their new boxes.
    try_++;
    touched_.clear();
    for (std::size_t i = 0; i < moved_.size(); i++) {
        const Cell& c = p_.cells[moved_[i]];
        if (c.x == was_[i].x && c.y == was_[i].y) continue;
        for (int n : c.nets)
            if (stamp_[n] != try_ && (boxes_[n].on_edge(was_[i].x, was_[i].y) || !boxes_[n].holds(c.x, c.y))) {
                stamp_[n] = try_;
                touched_.push_back(n);
            }
    }
    double wire = 0;
    std::erase_if(touched_, [&](int n) {
        const Box box = box_of(n);
        if (box == boxes_[n]) return true;
        next_[n] = box;
        wire += box.half_perimeter() - boxes_[n].half_perimeter();
        return false;
    });
    double crowded = 0;
    for (int n : touched_) {
        crowded += demand_.change(boxes_[n], p_.nets[n].cells.size(), -1);
        crowded += demand_.change(next_[n], p_.nets[n].cells.size(), 1);
    }
    const double cost = wire + options_.crowd * crowded + slower();
    if (cost <= 0 || (temperature_ > 0 && double(random() >> 11) * 0x1p-53 < std::exp(-cost / temperature_))) {
        for (int n : touched_) boxes_[n] = next_[n];
        for (const Change& c : changes_) {
            links_[c.link].ps = c.ps;
            links_[c.link].cost = c.cost;
        }
        wire_ += wire;
        return;
    }
    for (int n : touched_) {
        demand_.change(next_[n], p_.nets[n].cells.size(), -1);
        demand_.change(boxes_[n], p_.nets[n].cells.size(), 1);
    }
    take_back();
}

void Annealer::run(const std::function<void(const State&)>& tell) {
    for (int part = 0; part < PARTS; part++) {
        const double done = double(part) / PARTS;
        weigh();
        if (part % (PARTS / 100) == 0) tell({done, wire_, demand_.most(), longest_ps_});
        temperature_ = done < COLD ? options_.heat * std::pow(COOL, done) : 0;
        range_ = std::max(1, int(std::lround(RANGE * (1 - done))));
        const std::int64_t tries = std::int64_t(options_.moves) * std::int64_t(movable_.size()) / PARTS;
        for (std::int64_t i = 0; i < tries; i++) step();
    }
    weigh();
    tell({1, wire_, demand_.most(), longest_ps_});
}

}  // namespace maskwork::refine
