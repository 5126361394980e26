import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createAttemptLimit } from '@waymark/session'
import type { RouteHandlerContext } from 'waymark/server'
import { database, dataFolder } from '../../../../database/open.ts'
import { notifyChange } from '../../../../live/changes.ts'
import { readUser } from '../../../../session.ts'
import { endings, problemOf } from '../../../../ui/limits.ts'

const folder = join(dataFolder, 'uploads')
/** Allows a gigabyte per hour, so that one person can't fill the disk overnight. */
const upload = createAttemptLimit({ name: 'upload', perKey: 50, seconds: 60 * 60 })

/** Streams a file to the disk, and adds a comment with the file once the upload is complete. */
export async function PUT(request: Request, { params }: RouteHandlerContext<{ id: string }>) {
  const user = await readUser()
  if (!user) return refused(401, 'Sign in first.')
  const issueId = Number((await params).id)
  if (!(await database().findIssue(issueId))) return refused(404, 'This issue no longer exists.')
  const type = request.headers.get('content-type') ?? ''
  const size = Number(request.headers.get('content-length') ?? 0)
  const problem = problemOf({ size, type })
  if (problem || !request.body) return refused(422, problem ?? 'This file is empty.')
  if (!(await upload(user.id)).isAllowed) {
    return refused(429, 'You have sent too many files. Try again in an hour.')
  }
  const file = `${randomUUID()}.${endings[type]}`
  const draft = join(folder, `${file}.part`)
  await mkdir(folder, { recursive: true })
  try {
    await pipeline(Readable.fromWeb(request.body as ReadableStream), createWriteStream(draft))
    await rename(draft, join(folder, file))
  } catch {
    // Delete the incomplete file if the visitor has left or the connection was lost.
    await rm(draft, { force: true })
    return refused(400, 'The upload was interrupted.')
  }
  const text = nameOf(request.headers.get('x-file-name')) || file
  const entry = {
    id: randomUUID(),
    issueId,
    author: user.name,
    text,
    file,
    createdAtMs: Date.now(),
  }
  await database().addComment(entry)
  notifyChange()
  return Response.json({ file }, { status: 201 })
}

function refused(status: number, problem: string): Response {
  return Response.json({ problem }, { status })
}

function nameOf(header: string | null): string {
  try {
    return decodeURIComponent(header ?? '').slice(0, 100)
  } catch {
    return ''
  }
}
