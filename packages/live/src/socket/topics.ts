type Subscriber<Data> = { send(data: Data): void }

/** Creates the index of this process's sockets, by the topics to which they subscribe. */
export function createTopics<Data>() {
  const subscribers = new Map<string, Set<Subscriber<Data>>>()
  return {
    add(topic: string, subscriber: Subscriber<Data>): void {
      const all = subscribers.get(topic) ?? new Set()
      subscribers.set(topic, all.add(subscriber))
    },
    remove(topic: string, subscriber: Subscriber<Data>): void {
      const all = subscribers.get(topic)
      all?.delete(subscriber)
      if (all?.size === 0) subscribers.delete(topic)
    },
    publish(topic: string, data: Data, except?: Subscriber<Data>): void {
      for (const each of subscribers.get(topic) ?? []) if (each !== except) each.send(data)
    },
    size: () => subscribers.size,
  }
}

export type Topics<Data> = ReturnType<typeof createTopics<Data>>
