import { revalidateTag } from 'waymark/server'
import { addNote, listNotes } from '../../board.tsx'

/** The request of a page that polls each second. */
export async function GET(): Promise<Response> {
  return Response.json(await listNotes())
}

export async function POST(): Promise<Response> {
  addNote()
  await revalidateTag('notes')
  return new Response(null, { status: 204 })
}
