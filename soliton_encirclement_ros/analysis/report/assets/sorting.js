// Tables in the order of a column: a click on its head sorts, another one turns the order round.

const FEWEST_ROWS = 3;

/** Return what a row is sorted by: a number, a text, or null where nothing is known. */
function keyOf(row, column) {
  const cell = row.cells[column];
  const text = cell.textContent;
  if (text === '–') return null;
  return cell.classList.contains('number') ? Number(text) : text;
}

function compared(one, other) {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en', { numeric: true });
}

/** Sort by a column; what is not known comes last either way. */
function sortBy(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
  rows.sort((one, other) => {
    if (one.key === null || other.key === null) return (one.key === null) - (other.key === null);
    return (descending ? -1 : 1) * compared(one.key, other.key);
  });
  body.append(...rows.map((one) => one.row));
  for (const head of table.tHead.rows[0].cells) head.removeAttribute('aria-sort');
  const order = descending ? 'descending' : 'ascending';
  table.tHead.rows[0].cells[column].setAttribute('aria-sort', order);
}

function makeSortable(table) {
  if (table.tBodies[0].rows.length < FEWEST_ROWS) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = element('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      // The largest number is what one looks for, and the first name.
      const order = head.getAttribute('aria-sort');
      const first = head.classList.contains('number');
      sortBy(table, column, order ? order === 'ascending' : first);
    });
  });
}

document.querySelectorAll('.scroll table').forEach(makeSortable);
