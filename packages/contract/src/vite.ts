import { definePackage, type PackagePlugin } from 'waymark/plugin'
import { writeFacts } from './build/buildFacts.ts'

/**
 * Vite plugin that adds `waymark contract`. Builds also write the file `.waymark/contract.json`,
 * which that command reads. The code of the app stays the same.
 */
export function contract(): PackagePlugin {
  return definePackage('@waymark/contract', () => ({
    commands: {
      contract: {
        summary: 'Write or check the file that says what the app lets whom do',
        module: new URL('./commands.js', import.meta.url),
      },
    },
    async checkBuild(build) {
      writeFacts(build)
      return { problems: [], failsBuild: false }
    },
  }))
}
