import { type TracerProvider, trace } from '@opentelemetry/api'
import { expect, onTestFinished, test } from 'vitest'
import { createSpanObserver } from './spanObserver.ts'

test('is active once an SDK has registered a provider', () => {
  const observer = createSpanObserver({ maxSteps: 1 })
  expect(observer.isActive?.()).toBe(false)
  const provider: TracerProvider = { getTracer: () => trace.getTracer('other') }
  trace.setGlobalTracerProvider(provider)
  onTestFinished(() => trace.disable())
  expect(observer.isActive?.()).toBe(true)
})
