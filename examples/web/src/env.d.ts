interface ImportMetaEnv {
  /** Where the service is. */
  readonly VITE_API_URL?: string
}
