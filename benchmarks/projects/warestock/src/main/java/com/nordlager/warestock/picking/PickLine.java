package com.nordlager.warestock.picking;

import java.time.OffsetDateTime;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("pick_line")
public record PickLine(@Id Long id, int waveId, int binId, int articleId, int quantity, OffsetDateTime pickedAt) {
}
