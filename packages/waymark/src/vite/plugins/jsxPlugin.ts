import { type Plugin, parseAstAsync, transformWithOxc } from 'vite'

/**
 * Compiles JSX in an app's `.js` files: Vite looks for it in `.jsx` and `.tsx` only. A file without
 * JSX is left as it is.
 */
export function jsxPlugin(): Plugin {
  return {
    name: 'waymark:jsx',
    enforce: 'pre',
    configEnvironment() {
      // The dev server looks for packages to bundle in the sources.
      return { optimizeDeps: { rolldownOptions: { moduleTypes: { '.js': 'jsx' as const } } } }
    },
    transform: {
      filter: { id: { include: /\.m?js(?:\?|$)/, exclude: /\/node_modules\// }, code: /<[\w>]/ },
      async handler(code, id) {
        // Less-than signs stand in other code, too.
        if (await isJavaScript(code)) return null
        const development = this.environment.mode === 'dev'
        const jsx = { runtime: 'automatic' as const, development }
        return transformWithOxc(code, id, { lang: 'jsx', jsx })
      },
    },
  }
}

function isJavaScript(code: string): Promise<boolean> {
  return parseAstAsync(code).then(
    () => true,
    () => false,
  )
}
