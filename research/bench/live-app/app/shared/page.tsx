import { Board } from '../board.tsx'

export const live = true

export default function Shared() {
  return <Board />
}
