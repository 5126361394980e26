import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContractConfig } from '@waymark/contract'

// Use a database of its own, so that the developer's data stays as it is.
const folder = mkdtempSync(join(tmpdir(), 'tracker-contract-'))
process.env.TRACKER_DATA = folder
const { database } = await import('./database/open.ts')

// The first user is an admin.
const admin = await addUser('admin')
const member = await addUser('member')
const issue = { title: 'The lamp flickers', text: 'Since Monday.', author: 'member' } as const
const id = await database().addIssue({ ...issue, state: 'open', createdAtMs: Date.now() })

async function addUser(name: string) {
  const token = randomUUID()
  const user = { id: randomUUID(), name, passwordHash: '' }
  await database().addUser(user)
  const tokenHash = createHash('sha256').update(token).digest('base64url')
  await database().addSession({ tokenHash, userId: user.id, expiresAtMs: Date.now() + 3_600_000 })
  return { id: user.id, cookies: { '__Host-session': token } }
}

export default {
  env: { TRACKER_DATA: folder },
  personas: {
    member: () => ({ cookies: member.cookies }),
    admin: () => ({ cookies: admin.cookies }),
  },
  paths: { '/board/[id]': `/board/${id}` },
  sensitive: { fields: ['passwordHash', 'tokenHash'] },
} satisfies ContractConfig
