'use server'

import { setTimeout as sleep } from 'node:timers/promises'
import { updateTag } from 'waymark/server'
import { addEntry, boardTag, isBoardId, readBoard, tickEntry } from './boards.ts'

/** Adds the typed text to a board. */
export async function add(fields: FormData): Promise<void> {
  const board = fields.get('board')
  if (!isBoardId(board)) return
  addEntry(board, String(fields.get('text') ?? ''))
  await updateTag(boardTag(board))
}

/** Ticks the entry of the pressed button. */
export async function tick(fields: FormData): Promise<void> {
  const board = fields.get('board')
  if (!isBoardId(board)) return
  tickEntry(board, String(fields.get('entry')))
  await updateTag(boardTag(board))
}

/** Changes a board ten times within a second. */
export async function tickTen(board: string): Promise<void> {
  if (!isBoardId(board)) return
  for (let count = 0; count < 10; count++) {
    const entries = readBoard(board)
    tickEntry(board, entries[count % entries.length]?.id ?? '')
    await updateTag(boardTag(board))
    await sleep(90)
  }
}
