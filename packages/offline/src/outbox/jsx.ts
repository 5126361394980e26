import type {} from 'react'

declare module 'react' {
  interface FormHTMLAttributes<T> {
    /** `queue` makes the form's calls wait in the outbox until there is a connection. */
    offline?: 'queue' | undefined
  }
}
