package com.tidewater.quayside.domain;

public record Boat(int boatId, String name, String sailNo) {
}
