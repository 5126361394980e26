import type { ReactNode } from 'react'

/**
 * The picture of a preference, 24 by 24, drawn in the colour of the text around it: a sun, a
 * moon, a screen; for any other theme a disc, half of it filled.
 */
export function themeIcon(preference: string): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {drawing(preference)}
    </svg>
  )
}

function drawing(preference: string): ReactNode {
  switch (preference) {
    case 'light':
      return (
        <>
          <circle cx="12" cy="12" r="4" />
          <path d="M12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4" />
        </>
      )
    case 'dark':
      return <path d="M20.5 14.2A8.7 8.7 0 1 1 9.8 3.5a7 7 0 0 0 10.7 10.7Z" />
    case 'system':
      return (
        <>
          <rect x="3" y="4" width="18" height="12.5" rx="2" />
          <path d="M8.5 20.5h7M12 16.5v4" />
        </>
      )
    default:
      return (
        <>
          <circle cx="12" cy="12" r="8.5" />
          <path d="M12 3.5a8.5 8.5 0 0 1 0 17Z" fill="currentColor" />
        </>
      )
  }
}
