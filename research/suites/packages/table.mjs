import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../../../scripts/workspace/paths.mjs'

const page = path.join(root, 'site/app/guide/other-packages/page.mdx')
const begin = '{/* The table of packages: research/suites/packages/run.mjs writes it. */}'
const end = '{/* The end of the table of packages. */}'

/**
 * Writes the results into the guide.
 * @param {readonly import('./run.mjs').Outcome[]} outcomes
 */
export async function writeTable(outcomes) {
  const text = await readFile(page, 'utf8')
  const [before = '', rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  const rows = outcomes.map((outcome, index) =>
    rowOf(outcome.area === outcomes[index - 1]?.area ? '' : outcome.area, outcome),
  )
  const works = outcomes.filter(({ build, dev }) => !build && !dev).length
  const date = new Date().toISOString().slice(0, 10)
  const lines = [
    `On ${date}, with Node ${parseInt(process.versions.node, 10)}, ${works} of ${outcomes.length} worked in both:`,
    '',
    '| for | package | production | development |',
    '|---|---|---|---|',
    ...rows,
  ]
  await writeFile(page, `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`)
}

/** @param {string} area @param {import('./run.mjs').Outcome} outcome */
function rowOf(area, { name, version, build, dev }) {
  return `| ${area} | \`${name}\` ${version} | ${cell(build)} | ${cell(dev)} |`
}

/** @param {string} problem */
function cell(problem) {
  if (problem === '') return 'works'
  const [line = ''] = problem.trim().split('\n')
  return line.replace(/[|<>{}`]/g, ' ').slice(0, 120)
}
