import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from './random.ts';

const COUNT = 100_000;

function draw(next: () => number): { mean: number; deviation: number; values: number[] } {
  const values = Array.from({ length: COUNT }, next);
  const mean = values.reduce((sum, value) => sum + value, 0) / COUNT;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / COUNT;
  return { mean, deviation: Math.sqrt(variance), values };
}

test('equal seeds give equal sequences, different seeds different ones', () => {
  const sequence = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => random.uniform());
  };
  assert.deepEqual(sequence(7), sequence(7));
  assert.notDeepEqual(sequence(7), sequence(8));
  assert.notDeepEqual(sequence(7), sequence(7 + 2 ** 32));
});

test('uniform deviates fill [0, 1) evenly', () => {
  const random = new Random(1);
  const { mean, deviation, values } = draw(() => random.uniform());
  assert.ok(values.every((value) => value >= 0 && value < 1));
  assert.ok(Math.abs(mean - 0.5) < 0.005, `mean ${mean}`);
  assert.ok(Math.abs(deviation - Math.sqrt(1 / 12)) < 0.005, `deviation ${deviation}`);
});

test('normal deviates have mean 0, deviation 1 and normal tails', () => {
  const random = new Random(2);
  const { mean, deviation, values } = draw(() => random.normal());
  assert.ok(Math.abs(mean) < 0.015, `mean ${mean}`);
  assert.ok(Math.abs(deviation - 1) < 0.015, `deviation ${deviation}`);
  const beyondTwo = values.filter((value) => Math.abs(value) > 2).length / COUNT;
  assert.ok(Math.abs(beyondTwo - 0.0455) < 0.003, `beyond two deviations ${beyondTwo}`);
});

test('exponential deviates have the requested mean', () => {
  const random = new Random(3);
  const { mean, deviation } = draw(() => random.exponential(20));
  assert.ok(Math.abs(mean - 20) < 0.4, `mean ${mean}`);
  assert.ok(Math.abs(deviation - 20) < 0.6, `deviation ${deviation}`);
});
