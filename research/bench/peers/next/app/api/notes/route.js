import { addNote } from '../../board/board.mjs'

export function POST() {
  addNote()
  return new Response(null, { status: 204 })
}
