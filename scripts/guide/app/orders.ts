type Step = { number: number; text: string }
type Steps = { after(number: number, signal: AbortSignal): AsyncIterable<Step> }

export async function stepsOf(id: string, userId: string): Promise<Steps | null> {
  async function* after(number: number, signal: AbortSignal) {
    if (!signal.aborted) yield { number: number + 1, text: `${id} of ${userId}` }
  }
  return { after }
}

export async function findOrder(id: string): Promise<{ id: string; userId: string } | null> {
  return { id, userId: 'ada' }
}

export async function cancelOrder(_id: string): Promise<void> {}
