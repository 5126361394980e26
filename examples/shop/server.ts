import type { ServerOptions } from 'waymark/server'
import { readUser } from './session.ts'

export default {
  user: async () => (await readUser())?.id ?? null,
} satisfies ServerOptions
