import { createHash, randomUUID } from 'node:crypto'
import type { DrillConfig } from '@waymark/testing'
import { database } from './database/open.ts'

// Adds a user and an issue for the drill, next to the existing data.
const token = randomUUID()
const name = `drill-${token.slice(0, 8)}`
const user = { id: token, name, passwordHash: '' }
await database().addUser(user)
const tokenHash = createHash('sha256').update(token).digest('base64url')
await database().addSession({ tokenHash, userId: user.id, expiresAtMs: Date.now() + 3_600_000 })
const issue = { title: 'The lamp flickers', text: 'Since Monday.', author: name } as const
const id = await database().addIssue({ ...issue, state: 'open', createdAtMs: Date.now() })

export default {
  paths: { '/board/[id]': `/board/${id}` },
  cookies: { '__Host-session': token },
  // Skip pages that redirect or refuse, because the drill's user is signed in but isn't an admin.
  skip: ['/', '/admin', '/enter'],
  actions: [
    {
      name: 'comment',
      path: `/board/${id}`,
      async run(page) {
        await page.getByRole('textbox', { name: 'Comment' }).fill('It is the switch.')
        await page.getByRole('button', { name: 'Send' }).click()
      },
      effects: async () => (await database().listComments(id)).length,
    },
  ],
} satisfies DrillConfig
