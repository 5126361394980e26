'use server'

type Move = { boardId: string; card: string; to: number }

export async function move({ boardId, card, to }: Move): Promise<void> {
  console.log(boardId, card, to)
}
