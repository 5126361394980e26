import type { CacheDriver } from '../cacheDriver.ts'

/**
 * Leases names for some time that another process leases at the same moment.
 * @returns those that it has got
 */
export async function leaseOnAndOn(driver: CacheDriver, ms: number): Promise<string[]> {
  const got: string[] = []
  const untilMs = Date.now() + ms
  const lease = async () => {
    while (Date.now() < untilMs) {
      // The name of this moment, in all processes.
      const name = `name ${Math.floor(Date.now() / 3)}`
      if (await isOurs(driver, name)) got.push(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lease))
  return got
}

async function isOurs(driver: CacheDriver, name: string): Promise<boolean> {
  for (;;) {
    const leased = await driver.lease(name, 60_000)
    if (leased.kind === 'ours') {
      await leased.complete(new TextEncoder().encode(`${process.pid}`))
      return true
    }
    if (leased.kind === 'done') return false
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
