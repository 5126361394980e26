import path from 'node:path'
import type { Plugin } from 'vite'
import { loadEnvFiles } from '../node/envFiles.ts'

/** Puts the variables of `.env` files into `process.env`, where server code reads them. */
export function envPlugin(): Plugin {
  return {
    name: 'waymark:env',
    enforce: 'pre',
    config(config, { mode }) {
      if (config.envDir === false) return
      const root = path.resolve(config.root ?? process.cwd())
      loadEnvFiles(path.resolve(root, config.envDir ?? '.'), mode, process.env)
    },
  }
}
