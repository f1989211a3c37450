"""The tables of a recording as frames of pandas."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from soliton_encirclement_ros.analysis.tables.table import Table
from soliton_encirclement_ros.analysis.tables.writing import batches, schema_of
from soliton_encirclement_ros.core.errors import RunError

if TYPE_CHECKING:
    import pandas as pd


def frames_of(tables: Sequence[Table]) -> 'dict[str, pd.DataFrame]':
    """Return a frame for each table, by name.

    ``frame.attrs['units']`` and ``frame.attrs['meanings']`` tell of each column. Whole numbers and
    flags that are unknown are ``<NA>``, other numbers NaN.

    Raises:
        RunError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise RunError('frames need pandas: pip install pandas') from None
    kinds = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    found = {}
    for table in tables:
        rows = pa.Table.from_batches(batches(table), schema_of(table))
        frame = rows.to_pandas(types_mapper=kinds.get)
        frame.attrs['units'] = {column.name: column.unit for column in table.columns}
        frame.attrs['meanings'] = {column.name: column.meaning for column in table.columns}
        found[table.name] = frame
    return found
