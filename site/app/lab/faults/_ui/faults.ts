/** A fault that the lab's worker can make a response suffer. */
export type LabFault = { readonly name: string; readonly title: string }

/** The faults, from silence to noise. */
export const labFaults: readonly LabFault[] = [
  { name: 'none', title: 'None' },
  { name: 'hang', title: 'Never answers' },
  { name: 'slow', title: 'Answers after 10 s' },
  { name: 'reset', title: 'Resets before it begins' },
  { name: 'break', title: 'Breaks in the middle' },
  { name: 'stall', title: 'Falls silent in the middle' },
  { name: 'cut', title: 'Ends in the middle, cleanly' },
  { name: 'flip', title: 'One bit flipped' },
  { name: 'empty', title: 'Empty' },
  { name: 'garbage', title: 'Garbage' },
  { name: 'portal', title: 'A captive portal’s page' },
  { name: 'status404', title: '404 of a gateway' },
  { name: 'status429', title: '429 of a gateway' },
  { name: 'status500', title: '500 of the server' },
  { name: 'status502', title: '502 of a gateway' },
  { name: 'status503', title: '503 of a gateway' },
  { name: 'restart', title: 'The server restarts: 2 s without it' },
  { name: 'notNow', title: '“Not now”, for 5 s' },
]

/** What of the target's responses suffers it: code is known by a text in it. */
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

/** Message to the worker. */
export type FaultSettings = { readonly fault: string; readonly on: readonly string[] }

/** What the worker tells of a request. */
export type SeenRequest = { readonly kind: string; readonly path: string; readonly fault: string }
