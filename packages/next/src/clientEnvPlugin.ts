import type { Plugin } from 'vite'

/** The package that checks environment variables for `@t3-oss/env-nextjs`. */
export const envPackage = '@t3-oss/env-core'

/**
 * Lets client components import variables that `createEnv()` has checked. While client components
 * are rendered to HTML, `process.env` is empty, so only the public variables can be checked, as in
 * browsers. Reading a server variable throws the package's own error.
 */
export function clientEnvPlugin(): Plugin {
  return {
    name: 'next-names:client-env',
    applyToEnvironment: ({ name }) => name === 'ssr',
    transform: {
      filter: { id: new RegExp(`/${envPackage}/`) },
      handler: (code) => {
        const changed = checkAsInBrowsers(code)
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/** Replaces the package's test for servers. */
export function checkAsInBrowsers(code: string): string {
  return code.replace(
    /(\bopts\.isServer\s*(?:\?\?|\|\|)\s*)\([^()]*\bwindow\b[^()]*\)/g,
    '$1(false)',
  )
}
