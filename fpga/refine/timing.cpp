#include "timing.hpp"

#include <algorithm>

namespace maskwork::refine {

Timing::Timing(const Problem& problem) : p_(problem), arrive_(problem.nets.size()), leave_(problem.nets.size()) {
    const std::size_t nets = p_.nets.size();
    std::vector<std::vector<int>> out(nets);
    std::vector<int> waits(nets, 0), ready;
    for (std::size_t i = 0; i < p_.arcs.size(); i++) {
        out[p_.arcs[i].from].push_back(int(i));
        waits[p_.arcs[i].to]++;
    }
    for (std::size_t n = 0; n < nets; n++)
        if (waits[n] == 0) ready.push_back(int(n));
    order_.reserve(p_.arcs.size());
    // Nets of a combinational loop would never be ready; the unit has none.
    while (!ready.empty()) {
        const int n = ready.back();
        ready.pop_back();
        for (int i : out[n]) {
            order_.push_back(p_.arcs[i]);
            if (--waits[p_.arcs[i].to] == 0) ready.push_back(p_.arcs[i].to);
        }
    }
}

int Timing::analyse(float least, std::vector<Link>& links) {
    std::fill(arrive_.begin(), arrive_.end(), 0);
    std::fill(leave_.begin(), leave_.end(), 0);
    for (const Start& s : p_.starts) arrive_[s.net] = std::max(arrive_[s.net], s.ps);
    for (const Arc& a : order_) arrive_[a.to] = std::max(arrive_[a.to], arrive_[a.from] + wire(a.from, p_.nets[a.to].cells[0], a.direct) + a.ps);
    for (const End& e : p_.ends) leave_[e.net] = std::max(leave_[e.net], wire(e.net, e.cell, e.direct) + e.ps);
    for (auto a = order_.rbegin(); a != order_.rend(); ++a)
        leave_[a->from] = std::max(leave_[a->from], wire(a->from, p_.nets[a->to].cells[0], a->direct) + a->ps + leave_[a->to]);
    int longest = 1;
    for (std::size_t n = 0; n < p_.nets.size(); n++)
        if (leave_[n] > 0) longest = std::max(longest, arrive_[n] + leave_[n]);
    links.clear();
    int number = 0;
    auto look = [&](int net, int sink, bool direct, int after) {
        const float share = float(arrive_[net] + wire(net, sink, direct) + after) / float(longest);
        if (share >= least && !direct) links.push_back({number, p_.nets[net].cells[0], sink, share});
        number++;
    };
    for (const Arc& a : order_) look(a.from, p_.nets[a.to].cells[0], a.direct, a.ps + leave_[a.to]);
    for (const End& e : p_.ends) look(e.net, e.cell, e.direct, e.ps);
    return longest;
}

}  // namespace maskwork::refine
