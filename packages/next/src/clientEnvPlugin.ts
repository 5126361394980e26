import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

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
      handler(code, id) {
        const changed = checkAsInBrowsers(code)
        // Only the definition of `createEnv()` reads this option.
        if (changed === null && /\bskipValidation\b/.test(code)) {
          this.warn(
            `${id} has no createEnv() that Waymark knows, so client components that import its variables may fail with "Invalid environment variables".`,
          )
        }
        return changed === null ? null : { code: changed, map: null }
      },
    },
  }
}

/**
 * Sets two public options at the start of `createEnv()`. The package's own presets call it directly,
 * so replacing the export isn't enough.
 * @returns `null` if the code doesn't define the function
 */
export function checkAsInBrowsers(code: string): string | null {
  let changed: string | null = null
  const change = ({ params, body }: CreateEnv) => {
    const [options] = params
    if (options?.type !== 'Identifier' || body?.type !== 'BlockStatement') return
    const { name } = options
    // Code such as `typeof window === 'undefined' ? env.PORT : location.port` only reads the variable
    // on a server, so reading it must not throw.
    const line = `${name} = { ...${name}, isServer: ${name}.isServer ?? false, onInvalidAccess: () => undefined };`
    changed = `${code.slice(0, body.start + 1)} ${line}${code.slice(body.start + 1)}`
  }
  new Visitor({
    FunctionDeclaration(node) {
      if (node.id?.name === 'createEnv') change(node)
    },
    VariableDeclarator({ id, init }) {
      const isFunction =
        init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
      if (id.type === 'Identifier' && id.name === 'createEnv' && isFunction) change(init)
    },
  }).visit(parseSync('createEnv.js', code).program)
  return changed
}

type CreateEnv = ESTree.Function | ESTree.ArrowFunctionExpression
