import { createFromReadableStream } from '@vitejs/plugin-rsc/browser'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Payload } from '../shared/payload.ts'
import { startTheme } from '../theme/boot.ts'
import { App } from './app.tsx'
import { documentFlight } from './documentFlight.ts'

boot()

async function boot(): Promise<void> {
  startTheme()
  const payload = await createFromReadableStream<Payload>(documentFlight())
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <App initial={payload} />
      </StrictMode>,
    )
  })
}
