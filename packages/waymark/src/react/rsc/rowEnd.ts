/**
 * Finds the end of a Flight row. Texts and typed arrays have their length, as in `1:T400,`; all other
 * rows end with their line.
 * @param start where the row begins
 * @returns the position after the row; -1 for bytes that are no row
 */
export function rowEnd(bytes: Buffer, start: number): number {
  const head = bytes.toString('latin1', start, start + longestHead)
  const [sized, length] = sizedRow.exec(head) ?? []
  if (sized && length) return start + sized.length + Number.parseInt(length, 16)
  return anyRow.test(head) ? bytes.indexOf('\n', start) + 1 || -1 : -1
}

const longestHead = 24
const sizedRow = /^[\da-f]+:[A-Za-z]([\da-f]+),/
// The time origin and hints have no id.
const anyRow = /^[\da-f]*:/
