/** In which order the calls of a document stand, whatever order they arrive in. */
export type CallSequence = {
  /** A call has arrived. @returns to be called once it has its place, or needs none */
  arrive(name: string): () => void
  /** Resolves once these calls have theirs. */
  stand(names: readonly string[]): Promise<void>
}

type Place = { readonly taken: Promise<void>; readonly take: () => void }

/** Makes them. @param maxNames how many calls are remembered */
export function createCallSequence(maxNames = 5_000): CallSequence {
  const places = new Map<string, Place>()

  function placeOf(name: string): Place {
    const known = places.get(name)
    if (known) return known
    const place = createPlace()
    places.set(name, place)
    const [oldest] = places.keys()
    if (places.size > maxNames && oldest !== undefined) {
      places.get(oldest)?.take()
      places.delete(oldest)
    }
    return place
  }

  return {
    arrive: (name) => placeOf(name).take,
    async stand(names) {
      await Promise.all(names.map((name) => placeOf(name).taken))
    },
  }
}

function createPlace(): Place {
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  return { taken, take }
}
