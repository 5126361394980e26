/** Measures the cost of a package: an app with the package next to the same app without it. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendResults, median, printTable } from './report.mjs'

/**
 * Copies an app and writes a Vite configuration for the copy.
 * @param folder of all copies; `fixtureDir` of the app; `listed` is the plugin of a package beside
 *   `waymark()`, which its entry `vite` exports under that name, with its `options`
 * @returns the root of the copy
 */
export function layOut({ folder, fixtureDir, name, listed, options }) {
  const cwd = join(folder, name)
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  const isMade = (file) => /(?:^|\/)(?:\.waymark|node_modules)$/.test(file)
  cpSync(fixtureDir, cwd, {
    recursive: true,
    filter: (file) => !isMade(file.slice(fixtureDir.length)),
  })
  // The fixture's files import their pages from a folder next to it.
  rmSync(join(folder, 'pages'), { force: true })
  symlinkSync(fileURLToPath(new URL('../pages/', import.meta.url)), join(folder, 'pages'), 'dir')
  const imported = listed ? `import { ${listed} } from '@waymark/${listed}/vite'\n` : ''
  const called = options ? JSON.stringify(options) : ''
  const plugins = listed ? `waymark(), ${listed}(${called})` : 'waymark()'
  writeFileSync(
    join(cwd, 'vite.config.ts'),
    `${imported}import { waymark } from 'waymark/vite'\nexport default { plugins: [${plugins}] }\n`,
  )
  return cwd
}

/**
 * Prints a row for each copy, and keeps it with the results.
 * @param option its name; `keys` of the times of a load, in milliseconds; `digits` after the point
 */
export function reportCost(servers, { option, keys, digits = 0 }) {
  const rows = servers.map(({ name, loads }) => ({
    [option]: name,
    loads: loads.length,
    ...Object.assign({}, ...keys.map((key) => quartiles(loads, key, digits))),
  }))
  appendResults(`${option}-cost`, rows)
  const columns = keys.flatMap((key) => [key, `${key} 25`, `${key} 75`])
  printTable(
    [option, 'loads', ...columns].map((key) => [key, key]),
    rows,
  )
}

function quartiles(loads, key, digits) {
  const sorted = loads.map((load) => load[key]).sort((a, b) => a - b)
  const round = (value) => Number(value.toFixed(digits))
  const at = (share) => round(sorted[Math.floor(sorted.length * share)])
  return { [key]: round(median(sorted)), [`${key} 25`]: at(0.25), [`${key} 75`]: at(0.75) }
}
