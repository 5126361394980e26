import { coreRoot, gripExceptions } from './layers.ts'
import type { Source } from './source.ts'

/** Patterns of code that depends on the internals of React, Vite or plugin-rsc. */
const grips =
  /__DOM_INTERNALS|_httpMessage|_valueTracker|__reactProps|__reactFiber|\b_store\b|\b_payload\b|\$ACTION_|<!--\$\?-->|id="_R_"|Suspense Exception|__vite_|__VITE_|__webpack_|plugin-rsc\/dist|encryption-runtime|claimMap|client-in-server-package|manager\.\w+ = (?!true|false)|\.constructor as /

const folders = [`${coreRoot}react/`, `${coreRoot}vite/internals/`]

/**
 * Finds files that depend on the internals of React, Vite or plugin-rsc and that are outside the
 * two folders for such code.
 */
export function gripViolations(
  sources: readonly Source[],
  exceptions: Readonly<Record<string, string>> = gripExceptions,
): string[] {
  const used = new Set<string>()
  const violations = sources
    .filter(({ path }) => path.startsWith(coreRoot) && !/\.test\.tsx?$|\/testing\//.test(path))
    .filter(({ path }) => !folders.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, text }) => {
      const [grip] = grips.exec(text) ?? []
      if (grip === undefined) return []
      const excepted = path.slice(coreRoot.length)
      used.add(excepted)
      return excepted in exceptions ? [] : [`${path}: ${grip} belongs to react/ or vite/internals/`]
    })
  const unused = Object.keys(exceptions).filter((file) => !used.has(file))
  return [
    ...violations,
    ...unused.map((file) => `${file} needs no exception any more. Remove it from the list.`),
  ]
}

/** Finds files of `vite/internals/` that have no row in the decision's table. */
export function gripTableViolations(sources: readonly Source[], table: string): string[] {
  const folder = `${coreRoot}vite/internals/`
  const names = sources
    .filter(({ path }) => path.startsWith(folder) && !path.endsWith('.test.ts'))
    .map(({ path }) => path.slice(folder.length))
  const rows = table.split('\n').filter((line) => /^\| (?!name|---)/.test(line))
  const missing = names.filter((name) => !rows.some((row) => row.includes(`${name}\``)))
  return missing.map((name) => `react/README.md: vite/internals/${name} has no row`)
}
