#define MW_ROWS_NS v3
#include "rows_impl.hpp"

namespace maskwork::rows {
extern const Table table_v3;
const Table table_v3 = v3::make("v3");
}  // namespace maskwork::rows
