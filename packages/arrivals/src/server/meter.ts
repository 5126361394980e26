import { bucketBounds } from '../shared/series.ts'
import type { Labels } from './arrivalLabels.ts'

/** The instruments of OpenTelemetry that arrivals have. */
export type Instruments = {
  readonly arrivals: { add(count: number, attributes: Labels): void }
  readonly duration: { record(seconds: number, attributes: Labels): void }
}

type Meter = {
  createCounter(name: string, options: object): Instruments['arrivals']
  createHistogram(name: string, options: object): Instruments['duration']
}

type MeterProvider = { getMeter(name: string): Meter }

type Registered = { readonly metrics?: MeterProvider }

/**
 * Where every copy of `@opentelemetry/api` 1.x has what was registered with any of them. A build
 * holds a copy of the app's own, or none: there is nothing to import.
 */
const registry = Symbol.for('opentelemetry.js.api.1')

/** @returns finds the instruments; `null` while the app has registered no meter provider */
export function createInstrumentFinder(): () => Instruments | null {
  let provider: MeterProvider | undefined
  let instruments: Instruments | null = null
  return () => {
    const { metrics } = Object((globalThis as Record<symbol, unknown>)[registry]) as Registered
    if (metrics !== provider) instruments = metrics ? createInstruments(metrics) : null
    provider = metrics
    return instruments
  }
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter('waymark')
  return {
    arrivals: meter.createCounter('waymark.arrivals', { description: 'Loads of pages' }),
    duration: meter.createHistogram('waymark.arrival.duration', {
      description: 'Time until a page was on the screen',
      unit: 's',
      advice: { explicitBucketBoundaries: bucketBounds.map((ms) => ms / 1000) },
    }),
  }
}
