/** Prints measured rows as Markdown, with a column for each framework, as the guide shows them. */

/**
 * @param rows of all frameworks, each with `server`
 * @param options.by the key whose values are the rows of the table, such as `page`
 * @param options.measures `key` and `name` of each table, and `isHigherBetter`
 * @returns one table for each measure; the best value of a row is bold
 */
export function markdownTables(rows, { by, measures }) {
  const servers = [...new Set(rows.map(({ server }) => server))]
  const subjects = [...new Set(rows.map((row) => row[by]))]
  const tables = measures.map(({ key, name, isHigherBetter }) => {
    const lines = subjects.map((subject) => {
      const values = servers.map((server) => {
        const row = rows.find((each) => each[by] === subject && each.server === server)
        return row?.[key]?.median ?? row?.[key]
      })
      const numbers = values.filter((value) => typeof value === 'number')
      const best = isHigherBetter ? Math.max(...numbers) : Math.min(...numbers)
      return [subject ?? name, ...values.map((value) => cellText(value, best))]
    })
    return [[name, ...servers], servers.map(() => '---').concat('---'), ...lines]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n')
  })
  return tables.join('\n\n')
}

function cellText(value, best) {
  if (typeof value !== 'number') return value ?? '–'
  const text = value.toLocaleString('en')
  return value === best ? `**${text}**` : text
}
