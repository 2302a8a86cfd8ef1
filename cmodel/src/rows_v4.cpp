#define MW_ROWS_NS v4
#include "rows_impl.hpp"

namespace maskwork::rows {
extern const Table table_v4;
const Table table_v4 = v4::make("v4");
}  // namespace maskwork::rows
