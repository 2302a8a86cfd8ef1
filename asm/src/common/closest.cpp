#include "closest.hpp"

#include <algorithm>

namespace maskwork {
namespace {

// Edit distance with swapped neighbours as one edit; more than `limit` if the lengths already differ by more.
unsigned distance(std::string_view a, std::string_view b, unsigned limit) {
    if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
    std::vector<unsigned> before, last(b.size() + 1), row(b.size() + 1);
    for (unsigned j = 0; j < last.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<unsigned>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        last.swap(row);
    }
    return last.back();
}

}  // namespace

std::string_view closest(std::string_view word, const std::vector<std::string_view>& names) {
    if (word.size() <= 1 || word.size() > 64) return {};
    unsigned best = word.size() <= 3 ? 1 : word.size() <= 7 ? 2 : 3;
    std::string_view found;
    std::size_t alike = 0;   // letters at the beginning that `found` shares: slips are rarer there
    for (std::string_view name : names) {
        const unsigned d = distance(word, name, best);
        const std::size_t same = std::mismatch(word.begin(), word.end(), name.begin(), name.end()).first - word.begin();
        if (d < best || (d == best && (found.empty() || same > alike))) {
            best = d;
            found = name;
            alike = same;
        }
    }
    return found;
}

}  // namespace maskwork
