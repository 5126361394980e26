import type { Plugin } from 'vite'

// In the dev server, each render has references of its own.
const mostReferences = 1_000

/**
 * Bounds plugin-rsc's cache of loaded references in the dev server. Each render adds entries, none is
 * ever removed, and each holds the async context of its request. There is no option for it.
 * @see docs/upstream/plugin-rsc-dev-references/report.md
 */
export function devReferencesPlugin(): Plugin {
  return {
    name: 'waymark:dev-references',
    apply: 'serve',
    applyToEnvironment: ({ config }) => config.consumer === 'server',
    transform: {
      filter: { id: /\/@vitejs\/plugin-rsc\/dist\/shared-/, code: /function memoize/ },
      handler(code) {
        const changed = boundReferences(code)
        if (changed !== null) return { code: changed, map: null }
        this.environment.config.logger.warnOnce(skipped)
        return null
      },
    },
  }
}

const skipped =
  'Waymark skipped "dev-references": this version of @vitejs/plugin-rsc has other code than expected. The dev server takes more memory with each edit.'

/** Replacements in one text: all are made, or none. */
const changes: readonly (readonly [text: RegExp, replacement: string])[] = [
  [/fn\.call\(this, argument\)/, 'outsideOfRequests(() => fn.call(this, argument))'],
  [
    /cache\.set\(argument, newValue\);/,
    `$& if (cache.size > ${mostReferences}) cache.delete(cache.keys().next().value);`,
  ],
  [
    /^/,
    `import { AsyncLocalStorage as RequestStorage } from 'node:async_hooks'
const outsideOfRequests = RequestStorage.snapshot()
`,
  ],
]

/** @returns `null` when the code is not the one that the changes were written for */
export function boundReferences(code: string): string | null {
  let text = code
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(text)) return null
    text = text.replace(pattern, replacement)
  }
  return text
}
