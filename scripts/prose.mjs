/**
 * `npm run prose`: looks for phrases and sentences that readers stumble over, in Markdown, MDX, comments
 * and messages. `npm run prose -- packages/live` checks a folder.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingsOf } from './prose/findings.mjs'
import { passagesOf } from './prose/passages.mjs'
import { exceptions } from './prose/rules.mjs'
import { root } from './workspace/paths.mjs'

const chosen = process.argv.slice(2)
const listed = execFileSync('git', ['ls-files', '--', ...chosen], { cwd: root, encoding: 'utf8' })
const paths = listed
  .split('\n')
  .filter((path) => /\.(?:mdx?|[mc]?[jt]sx?)$/.test(path) && !isLeftOut(path))

let count = 0
for (const path of paths) {
  for (const passage of passagesOf(path, readFileSync(join(root, path), 'utf8'))) {
    for (const { line, sentence, advice } of await findingsOf(passage, path.endsWith('.mdx'))) {
      if (exceptions.some((one) => one.path === path && sentence.includes(one.text))) continue
      count += 1
      console.error(`${path}:${line}: ${advice}\n    ${sentence}`)
    }
  }
}
console.log(`Read ${paths.length} files: ${count} findings.`)
process.exitCode = count > 0 ? 1 : 0

/** @param {string} path @returns {boolean} */
function isLeftOut(path) {
  // Skip test apps, which are written as users write them, research, which isn't a part of the
  // product, the checker, which quotes the phrases that it looks for, and translations, which aren't
  // in English.
  return /^(?:research|e2e\/fixtures|scripts\/prose)\/|\/broken-[^/]*\/|\/src\/texts\/|^site\/app\/de\//.test(
    path,
  )
}
