const gauges = new Map<string, number>();

export function gauge(name: string, value: number): void {
  gauges.set(name, value);
}

export function render(): string {
  return [...gauges].map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}`).join('\n') + '\n';
}
