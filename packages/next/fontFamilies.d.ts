/**
 * Each family is a function with its name, such as `Inter` or `JetBrains_Mono`. Its package must be
 * installed.
 */
declare module 'next/font/google'
declare module 'next/font/google.js'
