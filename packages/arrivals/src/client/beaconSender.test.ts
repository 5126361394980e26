import { describe, expect, test } from 'vitest'
import { type Beacon, type Load, maxLoads } from '../shared/load.ts'
import type { Vital } from '../shared/vital.ts'
import { createBeaconSender } from './beaconSender.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 1, attempts: 1 }
const lost: Load = { ...page, outcome: 'never', cause: 'unreachable' }

function setUp() {
  const network = { isOnline: true, works: true, isLocked: false }
  const sent: Beacon[] = []
  const stored: Beacon[] = []
  const sender = createBeaconSender({
    build: () => 'b',
    isOnline: () => network.isOnline,
    async post(text) {
      if (network.works) sent.push(JSON.parse(text))
      return network.works
    },
    keep: (beacon) => void stored.push(beacon),
    takeStored: () => stored.shift(),
    inOneTab: async (run) => {
      if (!network.isLocked) await run()
    },
  })
  const counts = () => ({ sent: loadsOf(sent), stored: loadsOf(stored) })
  return { sender, network, sent, counts }
}

const loadsOf = (beacons: readonly Beacon[]) => beacons.flatMap(({ loads }) => loads).length

describe('loads', () => {
  test('are sent as one beacon when the page is hidden', () => {
    const { sender, sent } = setUp()
    sender.add(page)
    sender.add(page)
    expect(sent).toEqual([])
    sender.flush()
    sender.flush()
    expect(sent).toEqual([{ build: 'b', loads: [page, page], vitals: [] }])
  })

  test('are sent earlier if there are many', () => {
    const { sender, sent } = setUp()
    for (let at = 0; at < maxLoads * 2; at++) sender.add(page)
    expect(sent.every(({ loads }) => loads.length <= maxLoads)).toBe(true)
    expect(loadsOf(sent)).toBe(maxLoads * 2)
  })

  test('are sent with the vitals, which can also be sent alone', () => {
    const { sender, sent } = setUp()
    const vital: Vital = { route: '/a', name: 'LCP', isSoft: false, value: 800 }
    sender.add(page)
    sender.addVital(vital)
    sender.flush()
    sender.addVital(vital)
    sender.flush()
    expect(sent).toMatchObject([
      { loads: [page], vitals: [vital] },
      { loads: [], vitals: [vital] },
    ])
    for (let at = 0; at < maxLoads; at++) sender.addVital(vital)
    expect(sent.every(({ vitals }) => vitals.length <= maxLoads)).toBe(true)
  })

  test.each(['isOnline', 'works'] as const)(
    'are stored while the network fails: %s',
    async (part) => {
      const { sender, network, counts } = setUp()
      network[part] = false
      sender.add(page)
      sender.flush()
      await Promise.resolve()
      expect(counts()).toEqual({ sent: 0, stored: 1 })
    },
  )

  test('that are stored are sent by one tab', async () => {
    const { sender, network, counts } = setUp()
    network.isOnline = false
    sender.add(page)
    sender.flush()
    Object.assign(network, { isOnline: true, isLocked: true })
    await sender.sendStored()
    expect(counts()).toEqual({ sent: 0, stored: 1 })
    network.isLocked = false
    await sender.sendStored()
    expect(counts()).toEqual({ sent: 1, stored: 0 })
  })

  test('are stored if the last load did not get through, and sent once later', async () => {
    const { sender, counts } = setUp()
    sender.add(lost)
    sender.flush()
    expect(counts()).toEqual({ sent: 0, stored: 1 })
    sender.add(page)
    await Promise.resolve()
    sender.flush()
    await sender.sendStored()
    expect(counts()).toEqual({ sent: 2, stored: 0 })
  })

  test('are stored again if sending them fails', async () => {
    const { sender, network, counts } = setUp()
    network.isOnline = false
    sender.add(page)
    sender.flush()
    network.isOnline = true
    network.works = false
    await sender.sendStored()
    expect(counts()).toEqual({ sent: 0, stored: 1 })
    network.works = true
    await Promise.all([sender.sendStored(), sender.sendStored()])
    expect(counts()).toEqual({ sent: 1, stored: 0 })
  })
})
