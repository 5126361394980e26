import type { Plugin } from 'vite'

/** The package that checks environment variables for `@t3-oss/env-nextjs`. */
export const envPackage = '@t3-oss/env-core'

/**
 * Lets client components import variables that `createEnv()` has checked. While client components
 * are rendered to HTML, `process.env` is empty, so only the public variables can be checked, as in
 * browsers. A server variable is undefined, as in `process.env`. In browsers, reading it still throws
 * the package's own error.
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

/** Replaces the package's test for servers, and its error for server variables. */
export function checkAsInBrowsers(code: string): string {
  return (
    code
      .replace(/(\bopts\.isServer\s*(?:\?\?|\|\|)\s*)\([^()]*\bwindow\b[^()]*\)/g, '$1(false)')
      // Code such as `typeof window === 'undefined' ? env.PORT : location.port` only reads the
      // variable on a server.
      .replace(/\breturn onInvalidAccess\(\w+\)/g, 'return undefined')
  )
}
