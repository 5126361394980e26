import { cookies } from 'next/headers'
import { listNotes } from './board.mjs'
import { Live } from './live.jsx'

export default async function Board() {
  const name = (await cookies()).get('name')?.value ?? 'nobody'
  return (
    <>
      <h1>{name}</h1>
      <Live />
      <ul>
        {listNotes().map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  )
}
