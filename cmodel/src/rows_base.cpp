#define MW_ROWS_NS base
#include "rows_impl.hpp"

namespace maskwork::rows {
extern const Table table_base;
const Table table_base = base::make("base");
}  // namespace maskwork::rows
