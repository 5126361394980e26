import { isTestFile } from './importRules.ts'
import { coreRoot } from './layers.ts'
import type { Source } from './source.ts'

const hintsFile = `${coreRoot}node/packageHints.ts`

/**
 * Names of another framework's modules in the core, where only the table of hints may say how an app
 * imports them: the names belong to the package beside the core.
 */
export function foreignNameViolations(sources: readonly Source[]): string[] {
  // In two pieces, so that this file could stand in the core itself.
  const foreign = `next${'/'}`
  return sources
    .filter(({ path }) => path.startsWith(coreRoot) && path !== hintsFile)
    .filter(({ text }) => text.includes(foreign))
    .map(({ path }) => `${path}: holds the string ${foreign}`)
}

/** Finds names of our packages in the core outside of the table of hints. Comments and tests may have them. */
export function packageNameViolations(sources: readonly Source[]): string[] {
  const checked = sources.filter(
    ({ path }) => path.startsWith(coreRoot) && path !== hintsFile && !isTestFile(path),
  )
  return checked.flatMap(({ path, text, comments }) => {
    const code = comments.reduce((rest, comment) => rest.replace(comment.text, ''), text)
    const [name] = /@waymark\/[\w-]+/.exec(code) ?? []
    return name === undefined ? [] : [`${path}: names ${name}, which belongs to packageHints.ts`]
  })
}

const unfinished = /\b(TODO|FIXME|XXX)\b/
const silenced = /@ts-(ignore|nocheck)\b/
const expected = /@ts-expect-error(?!\s+\S+ \S+)/
const suppressed = /biome-ignore(?!(-\w+)?[^:]*:\s*[^\s<])/

/** Comments that put work off, or silence a tool without saying why. */
export function commentViolations(sources: readonly Source[]): string[] {
  const rules: [RegExp, string][] = [
    [unfinished, 'puts work off: do it, or file an issue'],
    [silenced, 'silences the type checker: mend the type, or use @ts-expect-error with a reason'],
    [expected, '@ts-expect-error needs its reason'],
    [suppressed, 'biome-ignore needs its reason'],
  ]
  return sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ text, line }) =>
      rules.filter(([pattern]) => pattern.test(text)).map(([, why]) => `${path}:${line}: ${why}`),
    ),
  )
}

/**
 * Tests that mock a file of ours. Code that such a test needs to replace is passed in as an argument.
 * `?raw` imports stay: they are built workers, which a test run has not built.
 */
export function mockViolations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, mocks }) =>
    mocks
      .filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('?raw'))
      .map(
        ({ specifier, line }) => `${path}:${line}: mocks ${specifier}: pass it in as an argument`,
      ),
  )
}
