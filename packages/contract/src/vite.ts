import type { Plugin } from 'vite'
import { definePackage } from 'waymark/plugin'
import { writeFacts } from './build/buildFacts.ts'
import { readsPlugin, readsVariable } from './reads/readsPlugin.ts'

/**
 * Vite plugins that add `waymark contract`. Builds also write the file `.waymark/contract.json`,
 * which that command reads. The code of the app stays the same.
 */
export function contract(): Plugin[] {
  const command = definePackage('@waymark/contract', () => ({
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
  // Only `waymark contract --fields` starts a dev server that records what components read.
  return process.env[readsVariable] === undefined ? [command] : [command, readsPlugin()]
}
