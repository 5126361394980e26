import { cookies } from 'waymark/server'
import { Board } from '../board.tsx'

export const live = true

export default async function Own() {
  const name = (await cookies()).get('name')?.value ?? 'nobody'
  return (
    <>
      <h1>{name}</h1>
      <Board />
    </>
  )
}
