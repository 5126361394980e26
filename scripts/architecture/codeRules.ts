import { isTestFile } from './importRules.ts'
import { coreRoot } from './layers.ts'
import type { Source } from './source.ts'

const hintsFile = `${coreRoot}node/packageHints.ts`

/**
 * Finds names of a foreign framework's modules in the core. These names belong in `packages/next`.
 * In the core, only the table of hints may contain such names, to tell an app how to import them.
 */
export function foreignNameViolations(sources: readonly Source[]): string[] {
  // Write the string in two pieces, because this rule would otherwise find it in this file.
  const foreign = `next${'/'}`
  return sources
    .filter(({ path }) => path.startsWith(coreRoot) && path !== hintsFile)
    .filter(({ text }) => text.includes(foreign))
    .map(({ path }) => `${path}: contains the string ${foreign}`)
}

/**
 * Finds names of our packages in the core. Only the table of hints, comments and tests may contain
 * such names.
 */
export function packageNameViolations(sources: readonly Source[]): string[] {
  const checked = sources.filter(
    ({ path }) => path.startsWith(coreRoot) && path !== hintsFile && !isTestFile(path),
  )
  return checked.flatMap(({ path, text, comments }) => {
    const code = comments.reduce((rest, comment) => rest.replace(comment.text, ''), text)
    const [name] = /@waymark\/[\w-]+/.exec(code) ?? []
    return name === undefined ? [] : [`${path}: names ${name}. Only packageHints.ts may name it.`]
  })
}

const unfinished = /\b(TODO|FIXME|XXX)\b/
const silenced = /@ts-(ignore|nocheck)\b/
const expected = /@ts-expect-error(?!\s+\S+ \S+)/
const suppressed = /biome-ignore(?!(-\w+)?[^:]*:\s*[^\s<])/

/** Finds comments that postpone work, or that silence a tool without a reason. */
export function commentViolations(sources: readonly Source[]): string[] {
  const rules: [RegExp, string][] = [
    [unfinished, 'postpones work. Do it, or file an issue.'],
    [silenced, 'silences the type checker. Mend the type, or use @ts-expect-error with a reason.'],
    [expected, '@ts-expect-error needs a reason'],
    [suppressed, 'biome-ignore needs a reason'],
  ]
  return sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ text, line }) =>
      rules.filter(([pattern]) => pattern.test(text)).map(([, why]) => `${path}:${line}: ${why}`),
    ),
  )
}

/**
 * Finds tests that mock one of our files. Such a test should pass the replacement in as an
 * argument. Mocks of `?raw` imports are accepted, because they replace built workers, which don't
 * exist in a test run.
 */
export function mockViolations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, mocks }) =>
    mocks
      .filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('?raw'))
      .map(
        ({ specifier, line }) =>
          `${path}:${line}: mocks ${specifier}. Pass it in as an argument instead.`,
      ),
  )
}

// A static import of values. Type-only imports leave nothing in the output.
const httpImport = /^import (?!type\b)[^']*?from 'node:http'$/m

/**
 * Finds packages' files that import values of `node:http` statically. Such an import reads all
 * exports of the module. Reading `WebSocket` loads fetch, which takes 30 to 80 ms when a server
 * starts. `packages/testing` is left out, because a server doesn't load it.
 */
export function httpImportViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^packages\/(?!testing\/)[^/]+\/src\//.test(path))
    .filter(({ path, text }) => !isTestFile(path) && httpImport.test(text))
    .map(
      ({ path }) =>
        `${path}: imports values of node:http. Use process.getBuiltinModule('node:http').`,
    )
}
