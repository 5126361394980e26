import type {} from 'react'

declare module 'react' {
  interface FormHTMLAttributes<T> {
    /** `queue`: what the form sends waits in the outbox until there is a connection. */
    offline?: 'queue' | undefined
  }
}
