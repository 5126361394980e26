/** A fault that the lab's worker can cause. */
export type LabFault = { readonly name: string; readonly title: string }

/** All faults, from silence to wrong responses. */
export const labFaults: readonly LabFault[] = [
  { name: 'none', title: 'None' },
  { name: 'hang', title: 'Never responds' },
  { name: 'slow', title: 'Responds after 10 s' },
  { name: 'reset', title: 'Resets before the first byte' },
  { name: 'break', title: 'Breaks in the middle' },
  { name: 'stall', title: 'Falls silent in the middle' },
  { name: 'cut', title: 'Ends in the middle, cleanly' },
  { name: 'flip', title: 'One bit flipped' },
  { name: 'empty', title: 'Empty' },
  { name: 'garbage', title: 'Garbage' },
  { name: 'portal', title: 'A captive portal’s page' },
  { name: 'status404', title: '404 from a gateway' },
  { name: 'status429', title: '429 from a gateway' },
  { name: 'status500', title: '500 from the server' },
  { name: 'status502', title: '502 from a gateway' },
  { name: 'status503', title: '503 from a gateway' },
  { name: 'restart', title: 'The server restarts for 2 s' },
  { name: 'notNow', title: '“Not now”, for 5 s' },
]

/**
 * The kinds of responses to which a fault can apply. The worker recognises code by a string that the
 * code contains.
 */
export const labFaultKinds = [
  { name: 'data', title: 'Page data' },
  { name: 'document', title: 'The document' },
  { name: 'prefetch', title: 'Prefetches' },
  { name: 'action', title: 'Actions' },
  { name: 'component', title: 'Code of a component' },
  { name: 'import', title: 'Code of an import()' },
  { name: 'script', title: 'Other scripts' },
  { name: 'style', title: 'Style sheets' },
] as const

/** A message to the worker. */
export type FaultSettings = { readonly fault: string; readonly on: readonly string[] }

/** A message from the worker about a request. */
export type SeenRequest = { readonly kind: string; readonly path: string; readonly fault: string }
