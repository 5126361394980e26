import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { notFound, unauthorized } from 'waymark'
import type { RouteHandlerContext } from 'waymark/server'
import { dataFolder } from '../../../database/open.ts'
import { readUser } from '../../../session.ts'

/** Sends a file as a download, never as a page, because a user's file could contain scripts. */
export async function GET(_: Request, { params }: RouteHandlerContext<{ name: string }>) {
  if (!(await readUser())) unauthorized()
  const { name } = await params
  if (!/^[0-9a-f-]{36}\.(?:jpg|png|pdf)$/.test(name)) notFound()
  const file = join(dataFolder, 'uploads', name)
  const { size } = await stat(file).catch(() => notFound())
  return new Response(Readable.toWeb(createReadStream(file)) as ReadableStream, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': `${size}`,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  })
}
