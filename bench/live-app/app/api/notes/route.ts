import { revalidateTag } from 'waymark/server'
import { addNote } from '../../board.tsx'

export async function POST(): Promise<Response> {
  addNote()
  await revalidateTag('notes')
  return new Response(null, { status: 204 })
}
